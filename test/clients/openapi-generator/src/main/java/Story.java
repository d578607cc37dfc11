import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.ConversationsApi;
import org.openapitools.client.api.EventsApi;
import org.openapitools.client.api.OrganizationConversationsApi;
import org.openapitools.client.api.OrganizationsApi;
import org.openapitools.client.api.QueuedMessagesApi;
import org.openapitools.client.api.WebhooksApi;
import org.openapitools.client.model.AppConversationStartRequest;
import org.openapitools.client.model.AppConversationUpdate;
import org.openapitools.client.model.AppSendMessageRequestContentInner;
import org.openapitools.client.model.ConversationEvent;
import org.openapitools.client.model.InitialMessage;
import org.openapitools.client.model.MessageEvent;
import org.openapitools.client.model.PendingMessageRequest;
import org.openapitools.client.model.TextContent;

/** Ten calls by the client that openapi-generator makes of openapi.json; see ../generators.ts. */
public final class Story {
  private static final Set<String> CALLED = new LinkedHashSet<>();

  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(arguments[0]);
    client.setRequestInterceptor(request -> request.header("X-Access-Token", arguments[1]));
    ConversationsApi conversations = new ConversationsApi(client);
    EventsApi events = new EventsApi(client);

    UUID orgId = call("getCurrentUser", () -> new OrganizationsApi(client).getCurrentUser(null, null, null)).getOrgId();
    UUID id = start(client, conversations);
    List<ConversationEvent> found = null;
    while (found == null || answersIn(found) < 2) {
      Thread.sleep(100);
      found = call("searchConversationEvents",
          () -> events.searchConversationEvents(id, null, null, null, null, null, 100, null)).getItems();
    }
    expect(call("listWebhooks", () -> new WebhooksApi(client).listWebhooks(orgId, null, null, null)).getItems().isEmpty(),
        "no webhooks");
    expect("Greetings".equals(call("updateAppConversation", () -> conversations.updateAppConversation(id,
        new AppConversationUpdate().title("Greetings"), null)).getTitle()), "the new title");
    expect(call("searchAppConversations", () -> conversations.searchAppConversations(null, null, null, null, null,
        null, null, List.of("team:shop"), null, null, null, null)).getItems().get(0).getId().equals(id),
        "the conversation in the list");
    expect(!call("listOrgConversations", () -> new OrganizationConversationsApi(client).listOrgConversations(orgId,
        null, null, null, null, null, null, null, null, null, null, null, null)).getItems().isEmpty(),
        "the conversation of the organization");
    expect(call("deleteAppConversation", () -> conversations.deleteAppConversation(id, null)).getSuccess(),
        "a deleted conversation");
    System.out.println(CALLED.stream().collect(Collectors.joining("\",\"", "[\"", "\"]")));
  }

  private static UUID start(ApiClient client, ConversationsApi conversations) throws Exception {
    AppConversationStartRequest request = new AppConversationStartRequest().title("A greeting")
        .initialMessage(new InitialMessage().content(text("Say hello."))).tags(Map.of("team", "shop"));
    UUID task = call("startAppConversation", () -> conversations.startAppConversation(request, null, null)).getId();
    expect(call("queuePendingMessage", () -> new QueuedMessagesApi(client).queuePendingMessage(task.toString(),
        new PendingMessageRequest().content(text("And in French?")), null, null)).getPosition() >= 1,
        "a place in the queue");
    for (;;) {
      var started = call("batchGetStartTasks", () -> conversations.batchGetStartTasks(List.of(task.toString()), null)).get(0);
      if ("READY".equals(started.getStatus().getValue())) return started.getAppConversationId();
      Thread.sleep(100);
    }
  }

  private static List<AppSendMessageRequestContentInner> text(String said) {
    List<AppSendMessageRequestContentInner> content = new ArrayList<>();
    content.add(new AppSendMessageRequestContentInner(new TextContent().text(said)));
    return content;
  }

  /** Counts the messages of the agent. */
  private static long answersIn(List<ConversationEvent> events) {
    return events.stream().map(ConversationEvent::getActualInstanceRecursively)
        .filter(event -> event instanceof MessageEvent message && "agent".equals(message.getSource())).count();
  }

  private static <T> T call(String name, Callable<T> call) throws Exception {
    T answer = call.call();
    CALLED.add(name);
    return answer;
  }

  private static void expect(boolean condition, String what) {
    if (!condition) throw new IllegalStateException("Not as expected: " + what);
  }
}
