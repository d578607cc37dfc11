# Dependencies by themselves, so that a change of the sources does not install them again. `prepare` would
# build, and there is nothing to build yet.
FROM node:20-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm pkg delete scripts.prepare && npm ci --no-audit --no-fund

FROM dependencies AS build
COPY nest-cli.json tsconfig.json tsconfig.build.json .swcrc ./
COPY src ./src
RUN npx nest build

# The web interface, if the image is to have it: `--build-arg WEB_INTERFACE=yes`. Of the sources only those that say
# which one, so that it is not fetched again when others change.
FROM dependencies AS web-interface
ARG WEB_INTERFACE=no
COPY tsconfig.json ./
COPY scripts/web-interface ./scripts/web-interface
COPY src/web-interface/installed ./src/web-interface/installed
RUN mkdir -p .cache/web-interface \
  && if [ "$WEB_INTERFACE" = yes ]; then npm run --silent web:install; fi

# What the running service needs, and no more.
FROM dependencies AS production
RUN npm prune --omit=dev --no-audit --no-fund

FROM node:20-bookworm-slim
# git fetches marketplaces; tini passes signals on and collects processes that nobody waits for.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates git tini \
  && rm -rf /var/lib/apt/lists/* \
  && install -d -o node -g node -m 0700 /data
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
COPY package.json ./
COPY --from=production /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=web-interface /app/.cache/web-interface ./.cache/web-interface
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--"]
CMD ["node", "dist/main.js"]
