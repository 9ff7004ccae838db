# One image for every role:
#   docker run -e DATABASE_URL=... -e REDIS_URL=... -p 8081:8081 quarterdeck           server and worker
#   docker run -e DATABASE_URL=... -e REDIS_URL=... -p 8081:8081 quarterdeck server    server alone
#   docker run -e DATABASE_URL=... -e REDIS_URL=... --no-healthcheck quarterdeck worker
# Without DATABASE_URL or REDIS_URL it runs its own and keeps their data in the volume.

FROM node:20-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json ./
COPY src src
COPY workers workers
COPY seeds seeds
RUN node src/launch.mjs build && npm prune --omit=dev

FROM node:20-bookworm-slim
ENV NODE_ENV=production VAPOR_ENV=production PORT=8081
WORKDIR /app
# No tsconfig.json: that is how launch.mjs knows that there is nothing to install or compile.
COPY package.json ./
COPY src/launch.mjs src/
COPY src/launch src/launch
COPY sql sql
COPY seeds seeds
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
RUN mkdir data && chown node:node data
USER node
VOLUME /app/data
EXPOSE 8081
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "dist/src/commands/health.js"]
ENTRYPOINT ["node", "src/launch.mjs", "start"]
