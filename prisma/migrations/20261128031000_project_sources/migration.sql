-- AlterTable
ALTER TABLE "project" ADD COLUMN     "source_attempt" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "source_error" JSON,
ADD COLUMN     "source_lost" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "source_progress" JSON,
ADD COLUMN     "source_since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
ADD COLUMN     "source_status" TEXT NOT NULL DEFAULT 'ready',
ADD COLUMN     "source_worker_id" TEXT;

-- CreateIndex
CREATE INDEX "project_source_status_source_since_idx" ON "project"("source_status", "source_since");

-- Projects of a git address that could not be fetched before.
UPDATE "project" SET "source_status" = 'waiting' WHERE "source" ->> 'kind' = 'git' AND "bundle_key" IS NULL;
