-- AlterTable
ALTER TABLE "session" ADD COLUMN     "ahead_asked_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "parked_process" (
    "session_id" TEXT NOT NULL,
    "worker_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "spawn_key" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "parked_process_pkey" PRIMARY KEY ("session_id")
);

-- CreateIndex
CREATE INDEX "parked_process_worker_id_idx" ON "parked_process"("worker_id");
