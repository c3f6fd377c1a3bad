-- AlterTable
ALTER TABLE "shared_workspace" ADD COLUMN     "unpushed" JSON,
ADD COLUMN     "unpushed_at" TIMESTAMPTZ(3),
ADD COLUMN     "unstored_since" TIMESTAMPTZ(3),
ADD COLUMN     "unstored_reason" TEXT;
