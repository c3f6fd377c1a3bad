-- AlterTable
ALTER TABLE "session_push" ADD COLUMN "turn_id" TEXT;
