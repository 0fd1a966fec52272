# cb in a container. Build: docker build --tag cb .   Run: docker run --rm --interactive --tty cb --help
FROM node:24-bookworm-slim AS build
WORKDIR /source
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY README.md LICENSE CHANGELOG.md SECURITY.md tsconfig.json ./
COPY bin ./bin
COPY completions ./completions
COPY docs ./docs
COPY src ./src
RUN npm run build
RUN npm pack --ignore-scripts --pack-destination /package

FROM node:24-bookworm-slim
COPY --from=build /package /package
RUN npm install --global /package/*.tgz && npm cache clean --force && rm -r /package
USER node
WORKDIR /home/node
# Volumes keep the rights of these folders: stored keys stay private, and cb can write them.
RUN mkdir -p -m 700 .config .config/clickbank-cli .local .local/share .local/share/clickbank-cli .local/state .local/state/clickbank-cli
ENTRYPOINT ["cb"]
