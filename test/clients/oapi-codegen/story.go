// Ten calls by the client that oapi-codegen makes of openapi.json; see ../generators.ts.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"

	"story/client"

	"github.com/google/uuid"
)

var called []string

// good fails at the first answer that is not the expected one.
func good[T any](name string, answer *T, status int, err error) *T {
	if err != nil || answer == nil {
		panic(fmt.Sprintf("%s: %d %v", name, status, err))
	}
	called = append(called, name)
	return answer
}

func expect(condition bool, what string) {
	if !condition {
		panic("Not as expected: " + what)
	}
}

func until[T any](ask func() *T) *T {
	for {
		before := len(called)
		if found := ask(); found != nil {
			return found
		}
		called = called[:before]
		time.Sleep(100 * time.Millisecond)
	}
}

func main() {
	ctx := context.Background()
	url, key := os.Args[1], os.Args[2]
	c, err := client.NewClientWithResponses(url, client.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("X-Access-Token", key)
			return nil
		}))
	if err != nil {
		panic(err)
	}

	me, err := c.GetCurrentUserWithResponse(ctx, nil)
	user := good("GetCurrentUser", me.JSON200, me.StatusCode(), err)

	id := start(ctx, c)

	limit := 100
	events := until(func() *client.EventPage {
		answer, err := c.SearchConversationEventsWithResponse(ctx, id, &client.SearchConversationEventsParams{Limit: &limit})
		page := good("SearchConversationEvents", answer.JSON200, answer.StatusCode(), err)
		if answersIn(page) < 2 {
			return nil
		}
		return page
	})
	counted, err := c.CountConversationEventsWithResponse(ctx, id, nil)
	count := good("CountConversationEvents", counted.JSON200, counted.StatusCode(), err)
	expect(*count >= len(events.Items), "a count of the events")

	title := "Greetings"
	updated, err := c.UpdateAppConversationWithResponse(ctx, id, nil, client.AppConversationUpdate{Title: &title})
	renamed := good("UpdateAppConversation", updated.JSON200, updated.StatusCode(), err)
	expect(renamed.Title != nil && *renamed.Title == title, "the new title")

	tags := []string{"team:shop"}
	listed, err := c.SearchAppConversationsWithResponse(ctx, &client.SearchAppConversationsParams{Tags: &tags})
	found := good("SearchAppConversations", listed.JSON200, listed.StatusCode(), err)
	expect(len(found.Items) > 0 && found.Items[0].Id == id, "the conversation in the list")

	all, err := c.ListOrgConversationsWithResponse(ctx, user.OrgId, nil)
	page := good("ListOrgConversations", all.JSON200, all.StatusCode(), err)
	expect(len(page.Items) > 0, "the conversation of the organization")

	deleted, err := c.DeleteAppConversationWithResponse(ctx, id, nil)
	expect(good("DeleteAppConversation", deleted.JSON200, deleted.StatusCode(), err).Success, "a deleted conversation")

	text, _ := json.Marshal(called)
	fmt.Println(string(text))
}

func start(ctx context.Context, c *client.ClientWithResponses) uuid.UUID {
	title := "A greeting"
	tags := map[string]interface{}{"team": "shop"}
	var content client.InitialMessage_Content_Item
	if err := content.FromTextContent(client.TextContent{Text: "Say hello."}); err != nil {
		panic(err)
	}
	message := client.InitialMessage{Content: &[]client.InitialMessage_Content_Item{content}}
	started, err := c.StartAppConversationWithResponse(ctx, nil,
		client.AppConversationStartRequest{Title: &title, InitialMessage: &message, Tags: &tags})
	begun := good("StartAppConversation", started.JSON200, started.StatusCode(), err)

	var more client.PendingMessageRequest_Content_Item
	if err := more.FromTextContent(client.TextContent{Text: "And in French?"}); err != nil {
		panic(err)
	}
	queued, err := c.QueuePendingMessageWithResponse(ctx, begun.Id.String(), nil,
		client.PendingMessageRequest{Content: []client.PendingMessageRequest_Content_Item{more}})
	expect(good("QueuePendingMessage", queued.JSON200, queued.StatusCode(), err).Position >= 1, "a place in the queue")

	ids := []string{begun.Id.String()}
	return *until(func() *uuid.UUID {
		answer, err := c.BatchGetStartTasksWithResponse(ctx, &client.BatchGetStartTasksParams{Ids: &ids})
		tasks := *good("BatchGetStartTasks", answer.JSON200, answer.StatusCode(), err)
		if tasks[0] == nil || tasks[0].Status != "READY" {
			return nil
		}
		return tasks[0].AppConversationId
	})
}

// answersIn counts the messages of the agent.
func answersIn(page *client.EventPage) int {
	count := 0
	for _, event := range page.Items {
		known, err := event.AsConversationEvent0()
		if err != nil {
			continue
		}
		value, err := known.ValueByDiscriminator()
		if message, ok := value.(client.MessageEvent); err == nil && ok && message.Source == "agent" {
			count++
		}
	}
	return count
}
