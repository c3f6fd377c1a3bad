-- AlterTable
ALTER TABLE "worker" ADD COLUMN     "life" TEXT;

-- AlterTable
ALTER TABLE "turn" ADD COLUMN     "worker_life" TEXT;

-- AlterTable
ALTER TABLE "project" ADD COLUMN     "source_worker_life" TEXT;

-- AlterTable
ALTER TABLE "worker_process" ADD COLUMN     "worker_life" TEXT;
