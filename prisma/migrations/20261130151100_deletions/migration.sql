-- AlterTable
ALTER TABLE "session" ADD COLUMN     "deleted_at" TIMESTAMPTZ(3),
ADD COLUMN     "deleted_by_id" TEXT,
ADD COLUMN     "deleted_by_name" TEXT,
ADD COLUMN     "purged_at" TIMESTAMPTZ(3),
ADD COLUMN     "emptied_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "project" ADD COLUMN     "deleted_at" TIMESTAMPTZ(3),
ADD COLUMN     "deleted_by_id" TEXT,
ADD COLUMN     "deleted_by_name" TEXT,
ADD COLUMN     "purged_at" TIMESTAMPTZ(3),
ADD COLUMN     "emptied_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "session_deleted_idx" ON "session"("deleted_at") WHERE (deleted_at IS NOT NULL AND emptied_at IS NULL);

-- CreateIndex
CREATE INDEX "project_deleted_idx" ON "project"("deleted_at") WHERE (deleted_at IS NOT NULL AND emptied_at IS NULL);
