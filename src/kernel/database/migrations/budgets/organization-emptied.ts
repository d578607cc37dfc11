/** As before, with the ledger and usage of each user, of which an organization may have millions of rows. */
export const ORGANIZATION_EMPTIED = `
CREATE OR REPLACE FUNCTION organization_emptied(org uuid, most integer) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[] := ARRAY(SELECT id FROM conversations WHERE org_id = org AND deleted_at IS NULL
                       ORDER BY created_at, id LIMIT greatest(1, most / 10));
  parts uuid[];
  gone integer;
BEGIN
  IF cardinality(ids) = 0 THEN
    ids := ARRAY(SELECT id FROM conversations WHERE org_id = org LIMIT greatest(1, most / 10));
  END IF;
  IF cardinality(ids) > 0 THEN
    DELETE FROM events e USING (
      SELECT conversation_id, id FROM events WHERE conversation_id = ANY (ids) LIMIT most) f
     WHERE e.conversation_id = f.conversation_id AND e.id = f.id;
    GET DIAGNOSTICS gone = ROW_COUNT;
    IF gone = most THEN RETURN false; END IF;
    parts := ARRAY(SELECT id FROM message_queues WHERE conversation_id = ANY (ids)
                   UNION ALL SELECT id FROM start_tasks WHERE conversation_id = ANY (ids));
    PERFORM jobs_about_removed(ids || parts);
    DELETE FROM stream_tickets WHERE subject = ANY (ARRAY(SELECT 'conversation_id ' || i FROM unnest(ids) i));
    DELETE FROM idempotency_keys
     WHERE user_id IN (SELECT created_by_user_id FROM conversations WHERE id = ANY (ids))
       AND scope_id = ANY (ids::text[]);
    DELETE FROM conversations WHERE id = ANY (ids);
    RETURN false;
  END IF;
  parts := ARRAY(SELECT id FROM message_queues WHERE org_id = org LIMIT most);
  PERFORM jobs_about_removed(parts);
  DELETE FROM message_queues WHERE id = ANY (parts);
  IF cardinality(parts) = most THEN RETURN false; END IF;
  DELETE FROM webhook_deliveries WHERE id IN (
    SELECT d.id FROM webhooks w JOIN webhook_deliveries d ON d.webhook_id = w.id WHERE w.org_id = org LIMIT most);
  GET DIAGNOSTICS gone = ROW_COUNT;
  IF gone = most THEN RETURN false; END IF;
  DELETE FROM domain_events WHERE id IN (
    (SELECT id FROM domain_events WHERE org_id = org AND position IS NOT NULL LIMIT most)
    UNION ALL (SELECT id FROM domain_events WHERE org_id = org AND position IS NULL LIMIT most));
  GET DIAGNOSTICS gone = ROW_COUNT;
  IF gone >= most THEN RETURN false; END IF;
  DELETE FROM model_calls WHERE ctid = ANY (ARRAY(SELECT ctid FROM model_calls WHERE org_id = org LIMIT most));
  GET DIAGNOSTICS gone = ROW_COUNT;
  IF gone = most THEN RETURN false; END IF;
  DELETE FROM usage_by_day WHERE ctid = ANY (ARRAY(SELECT ctid FROM usage_by_day WHERE org_id = org LIMIT most));
  GET DIAGNOSTICS gone = ROW_COUNT;
  IF gone = most THEN RETURN false; END IF;
  DELETE FROM usage_by_month WHERE ctid = ANY (ARRAY(SELECT ctid FROM usage_by_month WHERE org_id = org LIMIT most));
  GET DIAGNOSTICS gone = ROW_COUNT;
  IF gone = most THEN RETURN false; END IF;
  DELETE FROM usage_of_users WHERE ctid = ANY (ARRAY(SELECT ctid FROM usage_of_users WHERE org_id = org LIMIT most));
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone < most;
END $$`;
