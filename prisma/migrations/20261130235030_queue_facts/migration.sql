-- DropIndex
DROP INDEX "event_session_facts_idx";

-- CreateIndex
CREATE INDEX "event_session_facts_idx" ON "event"("session_id", "kind", "id") WHERE (kind = ANY (ARRAY['turn:queued'::text, 'session:init'::text, 'todo:update'::text, 'session:end'::text, 'session:update'::text, 'tool:outcome'::text, 'queue:update'::text]));
