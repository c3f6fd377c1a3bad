-- AlterTable
ALTER TABLE "session" ADD COLUMN "awaits_message_since" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "session_awaits_message_idx" ON "session"("awaits_message_since") WHERE (awaits_message_since IS NOT NULL AND purged_at IS NULL);
