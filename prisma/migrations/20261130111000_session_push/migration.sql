-- CreateTable
CREATE TABLE "session_push" (
    "id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'running',
    "active_session_id" TEXT,
    "branch" TEXT,
    "is_forced" BOOLEAN NOT NULL DEFAULT false,
    "commit" TEXT,
    "remote" TEXT,
    "create_url" TEXT,
    "error_code" TEXT,
    "error_detail" TEXT,
    "began_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "session_push_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "session_push_active_session_id_key" ON "session_push"("active_session_id");

-- CreateIndex
CREATE INDEX "session_push_session_id_began_at_idx" ON "session_push"("session_id", "began_at");

-- AddForeignKey
ALTER TABLE "session_push" ADD CONSTRAINT "session_push_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "session"("id") ON DELETE CASCADE ON UPDATE CASCADE;
