-- AlterTable
ALTER TABLE "user" ADD COLUMN     "is_service" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "service_account" (
    "user_id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "owner_id" TEXT,
    "created_by_id" TEXT NOT NULL,
    "created_by_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "service_account_pkey" PRIMARY KEY ("user_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "service_account_team_id_user_id_key" ON "service_account"("team_id", "user_id");

-- CreateIndex
CREATE INDEX "service_account_owner_id_idx" ON "service_account"("owner_id");

-- AddForeignKey
ALTER TABLE "service_account" ADD CONSTRAINT "service_account_team_id_user_id_fkey" FOREIGN KEY ("team_id", "user_id") REFERENCES "membership"("team_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_account" ADD CONSTRAINT "service_account_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "user"("id") ON DELETE SET NULL ON UPDATE CASCADE;
