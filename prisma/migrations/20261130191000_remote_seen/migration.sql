-- What a refresh saw at the remote that did not come.
ALTER TABLE "project" ADD COLUMN "remote_commit" TEXT,
ADD COLUMN "remote_behind" INTEGER,
ADD COLUMN "remote_seen_at" TIMESTAMPTZ(3);
