-- CreateTable
CREATE TABLE "pull_request" (
    "id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "current_slot" TEXT,
    "status" TEXT NOT NULL DEFAULT 'opening',
    "attempt" INTEGER NOT NULL DEFAULT 1,
    "attempt_since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "opened_by_id" TEXT NOT NULL,
    "opened_by_name" TEXT NOT NULL,
    "wanted" JSON NOT NULL,
    "kind" TEXT,
    "number" INTEGER,
    "url" TEXT,
    "reading" JSON,
    "read_at" TIMESTAMPTZ(3),
    "read_error" TEXT,
    "read_claimed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "pull_request_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "pull_request_current_slot_key" ON "pull_request"("current_slot");

-- CreateIndex
CREATE INDEX "pull_request_session_id_created_at_idx" ON "pull_request"("session_id", "created_at");

-- AddForeignKey
ALTER TABLE "pull_request" ADD CONSTRAINT "pull_request_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "session"("id") ON DELETE CASCADE ON UPDATE CASCADE;
