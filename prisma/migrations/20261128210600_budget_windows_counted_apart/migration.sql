-- AlterTable
ALTER TABLE "budget_window" ADD COLUMN     "counted" BOOLEAN NOT NULL DEFAULT true;

-- CreateIndex
CREATE INDEX "usage_record_project_id_at_idx" ON "usage_record"("project_id", "at");

-- CreateIndex
CREATE INDEX "usage_record_user_id_at_idx" ON "usage_record"("user_id", "at");
