-- CreateTable
CREATE TABLE "search_text" (
    "session_id" TEXT NOT NULL,
    "event_id" BIGINT NOT NULL,
    "field" TEXT NOT NULL,
    "turn_id" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "text" TEXT NOT NULL,
    "words" tsvector NOT NULL,

    CONSTRAINT "search_text_pkey" PRIMARY KEY ("session_id","event_id","field")
);

-- CreateTable
CREATE TABLE "search_backlog" (
    "session_id" TEXT NOT NULL,
    "after_event_id" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "search_backlog_pkey" PRIMARY KEY ("session_id")
);

-- CreateIndex
CREATE INDEX "search_text_words_idx" ON "search_text" USING GIN ("words");

-- CreateIndex
CREATE INDEX "search_text_paths_idx" ON "search_text" USING GIN ("text" gin_trgm_ops) WHERE (field = 'file');

-- CreateIndex
CREATE INDEX "search_text_at_idx" ON "search_text"("at", "session_id", "event_id", "field");

-- What was said before: the server brings it in little by little after its start
INSERT INTO "search_backlog" ("session_id") SELECT "session_id" FROM "session_cursor" WHERE "last_event_id" > 0;
