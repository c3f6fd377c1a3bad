-- AlterTable
ALTER TABLE "session" ADD COLUMN     "persona_origin" TEXT;

-- AlterTable
ALTER TABLE "turn" ADD COLUMN     "persona" TEXT;

-- CreateTable
CREATE TABLE "persona" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "live_key" TEXT,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_by_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "persona_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "persona_version" (
    "persona_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "content_hash" TEXT NOT NULL,
    "saved_by_id" TEXT NOT NULL,
    "saved_by_name" TEXT NOT NULL,
    "saved_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "persona_version_pkey" PRIMARY KEY ("persona_id","version")
);

-- CreateTable
CREATE TABLE "persona_text" (
    "hash" TEXT NOT NULL,
    "text" TEXT NOT NULL,

    CONSTRAINT "persona_text_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "project_persona_scan" (
    "project_id" TEXT NOT NULL,
    "bundle_key" TEXT NOT NULL,
    "base_commit" TEXT NOT NULL,
    "files" TEXT NOT NULL,
    "read_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "project_persona_scan_pkey" PRIMARY KEY ("project_id")
);

-- CreateTable
CREATE TABLE "persona_approval" (
    "project_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "content_hash" TEXT NOT NULL,
    "approved_by_id" TEXT NOT NULL,
    "approved_by_name" TEXT NOT NULL,
    "approved_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "persona_approval_pkey" PRIMARY KEY ("project_id","key","content_hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "persona_team_id_live_key_key" ON "persona"("team_id", "live_key");

-- AddForeignKey
ALTER TABLE "persona" ADD CONSTRAINT "persona_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "persona_version" ADD CONSTRAINT "persona_version_persona_id_fkey" FOREIGN KEY ("persona_id") REFERENCES "persona"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_persona_scan" ADD CONSTRAINT "project_persona_scan_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "persona_approval" ADD CONSTRAINT "persona_approval_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Every persona that a session could have until now is a built-in one.
UPDATE "session" SET "persona_origin" = 'built-in' WHERE "persona" IS NOT NULL;
