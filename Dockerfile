# One image for every role: what ROLES says decides what a container of it does. Node is its first process, so that SIGTERM
# reaches it, and it needs nothing but a network and its environment.

# https://hub.docker.com/_/node, 2026-11-23. Tested: 20.20.2, and on 24.21.0 a part of the tests.
FROM node:24.21.0-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN ["npm", "ci"]
COPY . .
RUN ["npm", "run", "build"]
RUN ["npm", "prune", "--omit=dev"]
# Half of it is never loaded: types, source maps, sources, builds for other platforms.
RUN ["node", "tools/trim-modules.mjs", "node_modules"]

FROM node:24.21.0-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
# A volume that is mounted here for the operator's key takes over whose the folder is.
RUN ["install", "-d", "-o", "node", "-g", "node", "-m", "0700", "/data"]
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
USER 1000:1000
EXPOSE 8080 9090
HEALTHCHECK --interval=5s --timeout=3s --start-period=600s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.ADMIN_PORT || 9090) + '/health/ready').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/cli/main.js"]
CMD ["serve"]
