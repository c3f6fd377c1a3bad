-- AlterTable
ALTER TABLE "api_token" ADD COLUMN     "made_by_user_id" TEXT;

-- AlterTable
ALTER TABLE "schedule" ADD COLUMN     "trigger_made_by_id" TEXT;

-- CreateIndex
CREATE INDEX "api_token_made_by_user_id_idx" ON "api_token"("made_by_user_id");

-- CreateIndex
CREATE INDEX "schedule_trigger_made_by_id_idx" ON "schedule"("trigger_made_by_id");

-- Those of people are their own; of a service account, the audit log has who made them, else its owner answers for them.
UPDATE "api_token" t SET "made_by_user_id" = coalesce(
    CASE WHEN NOT u."is_service" THEN t."user_id" END,
    (SELECT a."user_id" FROM "audit_entry" a WHERE a."team_id" = t."team_id" AND a."action" = 'token:create'
      AND a."object" = t."id" AND a."user_id" <> t."user_id" LIMIT 1),
    sa."owner_id", sa."created_by_id")
  FROM "user" u LEFT JOIN "service_account" sa ON sa."user_id" = u."id"
  WHERE u."id" = t."user_id";

UPDATE "schedule" s SET "trigger_made_by_id" = coalesce(
    (SELECT a."user_id" FROM "audit_entry" a WHERE a."team_id" = s."team_id" AND a."action" = 'schedule:trigger'
      AND a."object" = s."id" ORDER BY a."id" DESC LIMIT 1), s."owner_id")
  WHERE s."trigger_generation" > 0;

-- A viewer answers for no service account.
UPDATE "service_account" sa SET "owner_id" = NULL FROM "membership" m
  WHERE m."team_id" = sa."team_id" AND m."user_id" = sa."owner_id" AND m."role" = 'viewer';
