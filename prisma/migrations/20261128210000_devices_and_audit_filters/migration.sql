-- AlterTable
ALTER TABLE "refresh_family" ADD COLUMN     "address" TEXT,
ADD COLUMN     "confirmed_generation" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "user_agent" TEXT;

-- Sign-ins of before keep the rule they were made under: a replaced token is never answered after its grace.
UPDATE "refresh_family" SET "confirmed_generation" = "generation";

-- CreateIndex
CREATE INDEX "audit_entry_team_id_user_id_id_idx" ON "audit_entry"("team_id", "user_id", "id");
