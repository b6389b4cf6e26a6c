# Two stages: the Swift image builds a binary that carries the Swift runtime; a slim Debian runs it.
FROM swift:6.3-bookworm AS build
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends libssl-dev libcurl4-openssl-dev pkg-config \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
# The dependencies first, so that a change of the sources does not fetch them again.
COPY Package.swift ./
RUN swift package resolve
COPY Sources ./Sources
COPY Tests ./Tests
RUN swift build -c release --product presign --static-swift-stdlib \
    && strip -o /presign "$(swift build -c release --product presign --static-swift-stdlib --show-bin-path)/presign"

FROM debian:bookworm-slim
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends libssl3 libcurl4 ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --no-log-init --uid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin presign
COPY --from=build /presign /usr/local/bin/presign
USER 10001:10001
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s --retries=3 CMD ["/usr/local/bin/presign", "healthcheck"]
ENTRYPOINT ["/usr/local/bin/presign"]
CMD ["serve", "--config", "/etc/presign/presign.yaml"]
