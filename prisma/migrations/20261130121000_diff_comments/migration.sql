-- CreateTable
CREATE TABLE "diff_comment" (
    "id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "author_id" TEXT NOT NULL,
    "author_name" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "side" TEXT NOT NULL,
    "line" INTEGER NOT NULL,
    "end_line" INTEGER,
    "commit" TEXT,
    "body" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "turn_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "diff_comment_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "diff_comment_unsent_idx" ON "diff_comment"("session_id", "id") WHERE (turn_id IS NULL);
