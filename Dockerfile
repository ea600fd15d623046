# Clutch in a container: docs/decisions/0034-container.md says what is in it and why.
FROM node:26.10.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY vite.config.ts ./
COPY public public
COPY src src
RUN npm run build
# What only the pages need is in dist now (the typeface is also for title cards); then what packages carry for other systems, for compilers and for WebRTC.
RUN cp node_modules/node-linux-*/LICENSE node-licence \
  && npm pkg delete devDependencies optionalDependencies \
      dependencies.@mantine/core \
      dependencies.@mantine/form \
      dependencies.@mantine/hooks \
      dependencies.@mantine/notifications \
      dependencies.@tabler/icons-react \
      dependencies.@tanstack/react-query \
      dependencies.@tanstack/react-router \
      dependencies.@trpc/client \
      dependencies.@trpc/react-query \
      dependencies.@vitejs/plugin-react \
      'dependencies[hls.js]' \
      dependencies.react \
      dependencies.react-dom \
      dependencies.uqr \
      dependencies.vite \
  && npm prune --legacy-peer-deps \
  && cd node_modules \
  && rm -rf .cache better-sqlite3/deps better-sqlite3/prebuilds/[!l]* better-sqlite3/prebuilds/*musl* \
      swagger-ui-dist/*-es-* werift* mediabunny/src mediabunny/dist/bundles mp4box @peculiar \
  && find . -type f \( -name '*.map' -o -name '*.ts' -o -name '*.[cm]ts' \) -delete

FROM debian:bookworm-slim
# Drivers of a graphics card, for example: --build-arg PACKAGES="intel-media-va-driver"
ARG PACKAGES=""
# libatomic1 is Node's; tini is the first process.
RUN apt-get update && apt-get install -y --no-install-recommends libatomic1 tini $PACKAGES \
  && apt-get clean && rm -rf /var/lib/apt/lists/*
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /app/node-licence /usr/local/share/doc/node/LICENSE
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json CHANGELOG.md LICENSE ./
COPY src/shared src/shared
COPY src/server src/server
COPY --chmod=755 deploy/clutch.sh /usr/local/bin/clutch
# What the desk says it runs.
ARG COMMIT=""
ENV COMMIT=$COMMIT NODE_ENV=production DATA_DIR=/data PUID=1000 PGID=1000
VOLUME /data
EXPOSE 3000
# Only the site answers; of `clutch worker` and the like it is enough that they run.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD tr '\0' ' ' </proc/1/cmdline | grep -Eq '(command/|clutch )[a-z]' || exec node -e 'fetch("http://127.0.0.1:" + (process.env.PORT || 3000) + "/api/health").then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))'
ENTRYPOINT ["clutch"]
