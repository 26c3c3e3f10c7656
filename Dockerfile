# .ci/docker-steps repeats these steps where Docker does not run: keep to COPY, ENV, LABEL, RUN npm, HEALTHCHECK CMD, CMD.
FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# Without scripts npm compiles nothing: better-sqlite3 brings its binary.
RUN npm ci --omit=dev --ignore-scripts

FROM node:24-slim
LABEL org.opencontainers.image.title="Perch" \
  org.opencontainers.image.description="Warns before a perpetual-futures position is liquidated. Read-only." \
  org.opencontainers.image.licenses="MIT"
WORKDIR /app
ENV NODE_ENV=production HTTP_HOST=0.0.0.0
COPY --from=packages /app/node_modules ./node_modules
COPY package.json ./
COPY src ./src
COPY adapters ./adapters
# A new volume takes its owner from this folder.
RUN mkdir data && chown node:node data
USER node
VOLUME /app/data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.HTTP_PORT || 8080}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--min-semi-space-size=8", "--import", "./src/preload.js", "src/main.ts"]
