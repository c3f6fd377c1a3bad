-- AlterTable
ALTER TABLE "session" ADD COLUMN     "queue_pause_detail" TEXT,
ADD COLUMN     "queue_paused" TEXT;

-- CreateTable
CREATE TABLE "queue_item" (
    "id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "author_id" TEXT NOT NULL,
    "author_name" TEXT NOT NULL,
    "author_class" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "token_id" TEXT,
    "message" TEXT NOT NULL,
    "message_cipher" BYTEA,
    "attachments" TEXT NOT NULL DEFAULT '[]',
    "options" TEXT NOT NULL DEFAULT '{}',
    "output_schema" TEXT,
    "position" INTEGER NOT NULL,
    "urgent" BOOLEAN NOT NULL DEFAULT false,
    "interrupts_id" TEXT,
    "version" INTEGER NOT NULL DEFAULT 1,
    "key" TEXT,
    "body_hash" TEXT,
    "turn_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "gone_at" TIMESTAMPTZ(3),

    CONSTRAINT "queue_item_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "queue_item_key" ON "queue_item"("author_id", "session_id", "key") WHERE (key IS NOT NULL);

-- CreateIndex
CREATE INDEX "queue_item_waiting_idx" ON "queue_item"("session_id", "position") WHERE (gone_at IS NULL);
