-- Ships with Postgres, and whoever owns the database may add it
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- AlterTable
ALTER TABLE "audit_entry" ADD COLUMN     "project_id" TEXT;

-- What the column would have held from the beginning
UPDATE "audit_entry" SET "project_id" = coalesce(
  CASE WHEN "object" ~ '^proj_[0-7][0-9A-HJKMNP-TV-Z]{25}$' THEN "object" END,
  substring("detail" FROM '"projectId":"(proj_[0-9A-Z]{26})"'),
  (SELECT s."project_id" FROM "session" s WHERE s."id" = "audit_entry"."object"));

-- CreateIndex
CREATE INDEX "audit_entry_project_id_id_idx" ON "audit_entry"("project_id", "id");

-- CreateIndex
CREATE INDEX "session_listed_idx" ON "session"("team_id", "updated_at", "id") WHERE (archived_at IS NULL);

-- CreateIndex
CREATE INDEX "session_title_trigrams_idx" ON "session" USING GIN ("title" gin_trgm_ops);
