-- AlterTable
ALTER TABLE "turn" ADD COLUMN     "attachments" TEXT NOT NULL DEFAULT '[]';

-- CreateTable
CREATE TABLE "attachment" (
    "id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL DEFAULT 'file',
    "media_type" TEXT NOT NULL DEFAULT 'application/octet-stream',
    "bytes" INTEGER NOT NULL DEFAULT 0,
    "width" INTEGER,
    "height" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ready_at" TIMESTAMPTZ(3),
    "sent_at" TIMESTAMPTZ(3),
    "removed_at" TIMESTAMPTZ(3),

    CONSTRAINT "attachment_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "attachment_unsent_idx" ON "attachment"("created_at") WHERE (sent_at IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "attachment_session_id_name_key" ON "attachment"("session_id", "name");
