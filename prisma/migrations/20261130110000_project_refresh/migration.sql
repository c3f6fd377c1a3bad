-- AlterTable
ALTER TABLE "project" ADD COLUMN     "base_branch" TEXT,
ADD COLUMN     "base_commit" TEXT,
ADD COLUMN     "branch_pattern" TEXT NOT NULL DEFAULT 'chirality/{title}-{id}',
ADD COLUMN     "refresh_attempt" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "refresh_before_session" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "refresh_by_id" TEXT,
ADD COLUMN     "refresh_error" JSON,
ADD COLUMN     "refresh_lost" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "refresh_note" TEXT,
ADD COLUMN     "refresh_progress" JSON,
ADD COLUMN     "refresh_since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
ADD COLUMN     "refresh_status" TEXT NOT NULL DEFAULT 'idle',
ADD COLUMN     "refresh_worker_id" TEXT,
ADD COLUMN     "refresh_worker_life" TEXT,
ADD COLUMN     "refreshed_at" TIMESTAMPTZ(3),
ADD COLUMN     "replaced_bundle_key" TEXT;

-- AlterTable
ALTER TABLE "session" ADD COLUMN     "base_notice" JSON;

-- CreateIndex
CREATE INDEX "project_refresh_status_refresh_since_idx" ON "project"("refresh_status", "refresh_since");

-- Projects whose personas were read: that commit is the one their sessions start from.
UPDATE "project" p SET "base_commit" = s."base_commit" FROM "project_persona_scan" s
WHERE s."project_id" = p."id" AND s."bundle_key" = p."bundle_key";

-- Files that came from a git address were what it had when they were fetched.
UPDATE "project" SET "refreshed_at" = "source_since" WHERE "source_status" = 'ready' AND "source"->>'kind' = 'git';
