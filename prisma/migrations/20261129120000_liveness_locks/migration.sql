-- AlterTable
ALTER TABLE "worker" ADD COLUMN     "liveness_key" INTEGER;
