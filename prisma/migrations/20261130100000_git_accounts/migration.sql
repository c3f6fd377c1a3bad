-- AlterTable
ALTER TABLE "project" ADD COLUMN     "source_asked_by_id" TEXT;

-- CreateTable
CREATE TABLE "git_account" (
    "id" TEXT NOT NULL,
    "team_id" TEXT,
    "user_id" TEXT,
    "host" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "username" TEXT,
    "active_slot" TEXT,
    "sealed" BYTEA,
    "public_key" TEXT,
    "fingerprint" TEXT,
    "created_by_id" TEXT NOT NULL,
    "created_by_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "last_error_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "git_account_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "git_account_one_owner" CHECK (("team_id" IS NULL) <> ("user_id" IS NULL))
);

-- CreateTable
CREATE TABLE "git_host_key" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "lines" TEXT NOT NULL,
    "pinned_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "git_host_key_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "git_account_active_slot_key" ON "git_account"("active_slot");

-- CreateIndex
CREATE INDEX "git_account_team_id_created_at_idx" ON "git_account"("team_id", "created_at");

-- CreateIndex
CREATE INDEX "git_account_user_id_created_at_idx" ON "git_account"("user_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "git_host_key_team_id_host_key" ON "git_host_key"("team_id", "host");

-- AddForeignKey
ALTER TABLE "git_account" ADD CONSTRAINT "git_account_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "git_account" ADD CONSTRAINT "git_account_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "git_host_key" ADD CONSTRAINT "git_host_key_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "team"("id") ON DELETE CASCADE ON UPDATE CASCADE;
