-- CreateTable
CREATE TABLE "team" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "timezone" TEXT NOT NULL DEFAULT 'UTC',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "team_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "user" (
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "must_change_password" BOOLEAN NOT NULL DEFAULT false,
    "credentials_valid_from" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "membership" (
    "team_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "joined_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "membership_pkey" PRIMARY KEY ("team_id","user_id")
);

-- CreateTable
CREATE TABLE "invitation" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "invited_by_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "accepted_at" TIMESTAMPTZ(3),

    CONSTRAINT "invitation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "refresh_family" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "generation" INTEGER NOT NULL DEFAULT 0,
    "rotated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "refresh_family_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "password_reset" (
    "token_hash" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "password_reset_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "project" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "source" JSON NOT NULL,
    "bundle_key" TEXT,
    "created_by_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "archived_at" TIMESTAMPTZ(3),

    CONSTRAINT "project_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "owner_id" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "persona" TEXT,
    "mode" TEXT NOT NULL,
    "workspace" TEXT NOT NULL,
    "harness" TEXT NOT NULL,
    "visibility" TEXT NOT NULL,
    "options" JSON NOT NULL,
    "claude_session_id" TEXT,
    "boot_fingerprint" TEXT,
    "booted_at" TIMESTAMPTZ(3),
    "state_version" INTEGER NOT NULL DEFAULT 0,
    "state_key" TEXT,
    "holder_worker_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "archived_at" TIMESTAMPTZ(3),

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session_cursor" (
    "session_id" TEXT NOT NULL,
    "last_event_id" BIGINT NOT NULL DEFAULT 0,
    "fence" BIGINT NOT NULL DEFAULT 0,
    "marks" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "session_cursor_pkey" PRIMARY KEY ("session_id")
);

-- CreateTable
CREATE TABLE "event" (
    "session_id" TEXT NOT NULL,
    "id" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "turn_id" TEXT,
    "originator" TEXT NOT NULL,
    "ts" TIMESTAMPTZ(3) NOT NULL,
    "payload" TEXT NOT NULL,

    CONSTRAINT "event_pkey" PRIMARY KEY ("session_id","id")
);

-- CreateTable
CREATE TABLE "turn" (
    "id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "active_session_id" TEXT,
    "kind" TEXT NOT NULL DEFAULT 'message',
    "status" TEXT NOT NULL DEFAULT 'queued',
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "fence" BIGINT NOT NULL DEFAULT 0,
    "author_id" TEXT NOT NULL,
    "author_name" TEXT NOT NULL,
    "author_class" TEXT NOT NULL DEFAULT 'human',
    "message" TEXT NOT NULL,
    "text" TEXT NOT NULL DEFAULT '""',
    "message_cipher" BYTEA,
    "options" TEXT NOT NULL DEFAULT '{}',
    "degraded" BOOLEAN NOT NULL DEFAULT false,
    "error_code" TEXT,
    "error_detail" TEXT,
    "claude_session_id" TEXT,
    "model" TEXT,
    "claude_version" TEXT,
    "input_tokens" BIGINT NOT NULL DEFAULT 0,
    "output_tokens" BIGINT NOT NULL DEFAULT 0,
    "cache_read_tokens" BIGINT NOT NULL DEFAULT 0,
    "cache_write_tokens" BIGINT NOT NULL DEFAULT 0,
    "cost_usd" DECIMAL(20,10) NOT NULL DEFAULT 0,
    "reported_cost_usd" DECIMAL(20,10),
    "permission_denials" TEXT NOT NULL DEFAULT '[]',
    "timings" TEXT,
    "worker_id" TEXT,
    "launch" TEXT,
    "mutating_tool_started" BOOLEAN NOT NULL DEFAULT false,
    "interrupt_requested_at" TIMESTAMPTZ(3),
    "interrupted_by_id" TEXT,
    "queued_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "turn_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_key" (
    "user_id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "body_hash" TEXT NOT NULL,
    "turn_id" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("user_id","session_id","key")
);

-- CreateTable
CREATE TABLE "worker" (
    "id" TEXT NOT NULL,
    "machine" TEXT NOT NULL,
    "pid" INTEGER NOT NULL,
    "slots" INTEGER NOT NULL,
    "sandbox" TEXT NOT NULL,
    "sandbox_detail" TEXT,
    "claude_version" TEXT,
    "draining" BOOLEAN NOT NULL DEFAULT false,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lease_expires_at" TIMESTAMPTZ(3) NOT NULL,
    "stopped_at" TIMESTAMPTZ(3),

    CONSTRAINT "worker_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "worker_process" (
    "id" TEXT NOT NULL,
    "worker_id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "turn_id" TEXT,
    "machine" TEXT NOT NULL,
    "pid" INTEGER NOT NULL,
    "start_time" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "worker_process_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "permission" (
    "id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "turn_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "tool_use_id" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "input" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "pattern" TEXT,
    "outcome" TEXT,
    "scope" TEXT,
    "answer" TEXT,
    "resolved_by_id" TEXT,
    "resolved_by_name" TEXT,
    "resolved_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "resolved_at" TIMESTAMPTZ(3),

    CONSTRAINT "permission_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session_rule" (
    "id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "pattern" TEXT,
    "created_by_id" TEXT NOT NULL,
    "created_by_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "session_rule_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tool_call" (
    "turn_id" TEXT NOT NULL,
    "tool_use_id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "input" TEXT NOT NULL,
    "mutating" BOOLEAN NOT NULL,
    "decision" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "closed_at" TIMESTAMPTZ(3),
    "outcome" TEXT,
    "note" TEXT,

    CONSTRAINT "tool_call_pkey" PRIMARY KEY ("turn_id","tool_use_id")
);

-- CreateTable
CREATE TABLE "usage_record" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "turn_id" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "user_id" TEXT NOT NULL,
    "persona" TEXT,
    "model" TEXT NOT NULL,
    "api_message_id" TEXT,
    "input_tokens" BIGINT NOT NULL,
    "output_tokens" BIGINT NOT NULL,
    "cache_read_tokens" BIGINT NOT NULL,
    "cache_write_5m_tokens" BIGINT NOT NULL,
    "cache_write_1h_tokens" BIGINT NOT NULL,
    "web_searches" INTEGER NOT NULL DEFAULT 0,
    "cost_usd" DECIMAL(20,10) NOT NULL,
    "source" TEXT NOT NULL,
    "demo" BOOLEAN NOT NULL DEFAULT false,
    "complete" BOOLEAN NOT NULL DEFAULT false,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "usage_record_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "price" (
    "id" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "effective_from" TIMESTAMPTZ(3) NOT NULL,
    "input" DECIMAL(20,10) NOT NULL,
    "output" DECIMAL(20,10) NOT NULL,
    "cache_read" DECIMAL(20,10) NOT NULL,
    "cache_write_5m" DECIMAL(20,10) NOT NULL,
    "cache_write_1h" DECIMAL(20,10) NOT NULL,
    "web_search" DECIMAL(20,10) NOT NULL,

    CONSTRAINT "price_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_entry" (
    "id" TEXT NOT NULL,
    "team_id" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "user_id" TEXT,
    "user_name" TEXT,
    "action" TEXT NOT NULL,
    "object" TEXT NOT NULL,
    "detail" TEXT NOT NULL DEFAULT '{}',

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "presence" (
    "client_id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "user_name" TEXT NOT NULL,
    "may_answer" BOOLEAN NOT NULL,
    "typing_until" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "presence_pkey" PRIMARY KEY ("client_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "user_email_key" ON "user"("email");

-- CreateIndex
CREATE INDEX "membership_user_id_idx" ON "membership"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "invitation_token_hash_key" ON "invitation"("token_hash");

-- CreateIndex
CREATE INDEX "invitation_team_id_idx" ON "invitation"("team_id");

-- CreateIndex
CREATE INDEX "refresh_family_user_id_idx" ON "refresh_family"("user_id");

-- CreateIndex
CREATE INDEX "password_reset_user_id_idx" ON "password_reset"("user_id");

-- CreateIndex
CREATE INDEX "project_team_id_created_at_idx" ON "project"("team_id", "created_at");

-- CreateIndex
CREATE INDEX "session_team_id_updated_at_idx" ON "session"("team_id", "updated_at");

-- CreateIndex
CREATE INDEX "session_project_id_updated_at_idx" ON "session"("project_id", "updated_at");

-- CreateIndex
CREATE UNIQUE INDEX "turn_active_session_id_key" ON "turn"("active_session_id");

-- CreateIndex
CREATE INDEX "turn_session_id_queued_at_idx" ON "turn"("session_id", "queued_at");

-- CreateIndex
CREATE INDEX "turn_status_queued_at_idx" ON "turn"("status", "queued_at");

-- CreateIndex
CREATE INDEX "turn_worker_id_status_idx" ON "turn"("worker_id", "status");

-- CreateIndex
CREATE INDEX "idempotency_key_expires_at_idx" ON "idempotency_key"("expires_at");

-- CreateIndex
CREATE INDEX "worker_process_worker_id_idx" ON "worker_process"("worker_id");

-- CreateIndex
CREATE INDEX "worker_process_machine_idx" ON "worker_process"("machine");

-- CreateIndex
CREATE INDEX "permission_session_id_created_at_idx" ON "permission"("session_id", "created_at");

-- CreateIndex
CREATE INDEX "permission_turn_id_idx" ON "permission"("turn_id");

-- CreateIndex
CREATE INDEX "session_rule_session_id_idx" ON "session_rule"("session_id");

-- CreateIndex
CREATE INDEX "tool_call_session_id_idx" ON "tool_call"("session_id");

-- CreateIndex
CREATE INDEX "usage_record_turn_id_idx" ON "usage_record"("turn_id");

-- CreateIndex
CREATE INDEX "usage_record_session_id_idx" ON "usage_record"("session_id");

-- CreateIndex
CREATE INDEX "usage_record_team_id_at_idx" ON "usage_record"("team_id", "at");

-- CreateIndex
CREATE UNIQUE INDEX "price_model_effective_from_key" ON "price"("model", "effective_from");

-- CreateIndex
CREATE INDEX "audit_entry_team_id_at_idx" ON "audit_entry"("team_id", "at");

-- CreateIndex
CREATE INDEX "presence_session_id_idx" ON "presence"("session_id");

-- CreateIndex
CREATE INDEX "presence_expires_at_idx" ON "presence"("expires_at");

-- AddForeignKey
ALTER TABLE "membership" ADD CONSTRAINT "membership_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "membership" ADD CONSTRAINT "membership_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refresh_family" ADD CONSTRAINT "refresh_family_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "password_reset" ADD CONSTRAINT "password_reset_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project" ADD CONSTRAINT "project_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "team"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "team"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session_cursor" ADD CONSTRAINT "session_cursor_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "session"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "turn" ADD CONSTRAINT "turn_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "session"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What the schema language cannot say. The second wall behind the transition table: a turn is live exactly while it
-- holds its session, and only a final one has an end.
ALTER TABLE "turn"
  ADD CONSTRAINT "turn_live_holds_session" CHECK (
    CASE
      WHEN "status" IN ('queued', 'starting', 'running', 'awaiting_permission', 'finishing')
        THEN "active_session_id" IS NOT NULL AND "active_session_id" = "session_id" AND "ended_at" IS NULL
      WHEN "status" IN ('completed', 'failed', 'interrupted', 'timed_out', 'cancelled', 'lost')
        THEN "active_session_id" IS NULL AND "ended_at" IS NOT NULL AND "message_cipher" IS NULL
      ELSE false
    END
  );

-- Every append rewrites this row: room on the page keeps the update off the index.
ALTER TABLE "session_cursor" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
