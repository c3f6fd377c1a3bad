-- CreateTable
CREATE TABLE "mcp_session" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "team_id" TEXT,
    "client_name" TEXT NOT NULL,
    "client_version" TEXT NOT NULL,
    "opens_pages" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mcp_session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mcp_subscription" (
    "mcp_session_id" TEXT NOT NULL,
    "uri" TEXT NOT NULL,
    "session_id" TEXT,
    "since_event_id" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mcp_subscription_pkey" PRIMARY KEY ("mcp_session_id","uri")
);

-- CreateTable
CREATE TABLE "mcp_call" (
    "mcp_session_id" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "owns_turn" BOOLEAN NOT NULL,
    "turn_id" TEXT,
    "after_event_id" BIGINT NOT NULL,
    "progress_token" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mcp_call_pkey" PRIMARY KEY ("mcp_session_id","request_id")
);

-- CreateIndex
CREATE INDEX "mcp_session_user_id_last_seen_at_idx" ON "mcp_session"("user_id", "last_seen_at");

-- CreateIndex
CREATE INDEX "mcp_session_last_seen_at_idx" ON "mcp_session"("last_seen_at");

-- CreateIndex
CREATE INDEX "mcp_subscription_session_id_idx" ON "mcp_subscription"("session_id");

-- CreateIndex
CREATE INDEX "mcp_call_session_id_idx" ON "mcp_call"("session_id");

-- CreateIndex
CREATE UNIQUE INDEX "mcp_call_id_key" ON "mcp_call"("id");

-- AddForeignKey
ALTER TABLE "mcp_session" ADD CONSTRAINT "mcp_session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mcp_subscription" ADD CONSTRAINT "mcp_subscription_mcp_session_id_fkey" FOREIGN KEY ("mcp_session_id") REFERENCES "mcp_session"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mcp_call" ADD CONSTRAINT "mcp_call_mcp_session_id_fkey" FOREIGN KEY ("mcp_session_id") REFERENCES "mcp_session"("id") ON DELETE CASCADE ON UPDATE CASCADE;
