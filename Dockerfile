# Three stages: build a binary with the Swift runtime linked statically, collect the Debian libraries that it loads, and
# copy both into an empty image without a shell. Works for every architecture that the base images support: docker
# buildx build --platform linux/amd64,linux/arm64
ARG SWIFT_IMAGE=swift:6.3-bookworm
ARG DEBIAN_IMAGE=debian:bookworm-slim

FROM ${SWIFT_IMAGE} AS build
SHELL ["/bin/bash", "-euo", "pipefail", "-c"]
# Versions are not pinned, so that each build gets Debian's security updates.
# hadolint ignore=DL3008
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get upgrade -y --no-install-recommends \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends libssl-dev libcurl4-openssl-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
# A separate layer, so that a change of the sources does not fetch the dependencies again.
ENV PRESIGN_WITHOUT_TESTS=1
# The release has the file with the versions that its tests used; `[d]` makes it optional.
COPY Package.swift Package.resolve[d] ./
RUN if [ -f Package.resolved ]; then set -- --force-resolved-versions; fi && swift package resolve "$@"
COPY Sources ./Sources
# The binary contains this file.
COPY config/openapi.yaml ./config/
# The linker options shrink the tables that the loader reads at the start and that stay in memory, together by 1.4 MB:
# relative relocations are packed, which needs glibc 2.36, and the program exports no symbols. /static has the C++
# library of the Swift runtime in its static form only, so the program contains just what it uses of it. The shared
# library would keep another 1.4 MB in memory.
RUN mkdir /static && cp "$(clang -print-file-name=libstdc++.a)" /static/ \
    && set -- -c release --product presign --static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker -L/static \
        -Xlinker --no-export-dynamic -Xlinker -z -Xlinker pack-relative-relocs \
    && swift build "$@" \
    && strip -o /presign "$(swift build "$@" --show-bin-path)/presign"
COPY LICENSE ./

FROM ${DEBIAN_IMAGE} AS root
SHELL ["/bin/bash", "-euo", "pipefail", "-c"]
# hadolint ignore=DL3008
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get upgrade -y --no-install-recommends \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends libssl3 libcurl4 ca-certificates \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /presign /image/usr/local/bin/presign
# Copies only the libraries that the binary loads, without the packages' tools, locales and plug-ins. Debian's libcurl
# also loads libraries for Kerberos, LDAP, SSH and RTMP, which presign does not use.
RUN mkdir -p /image/usr/lib \
    && for link in lib lib64; do if [ -L "/$link" ]; then mkdir -p "/image/usr/$link" && cp -a "/$link" /image/; fi; done \
    && ldd /image/usr/local/bin/presign | grep -oE '/[^ ]+\.so[^ ]*' | sort -u > /tmp/libraries \
    && while read -r library; do \
        install -D -m 755 "$(readlink -f "$library")" "/image$(readlink -f "$(dirname "$library")")/$(basename "$library")" \
        && dpkg-query -S "*/$(basename "$(readlink -f "$library")")" | cut -d: -f1; \
    done < /tmp/libraries | sort -u > /tmp/packages \
    && echo ca-certificates >> /tmp/packages
# Package metadata for vulnerability scanners, which read status.d in images without dpkg, and the packages' licences.
RUN mkdir -p /image/var/lib/dpkg/status.d \
    && while read -r package; do \
        dpkg-query -s "$package" > "/image/var/lib/dpkg/status.d/$package" \
        && install -D -m 644 "/usr/share/doc/$package/copyright" "/image/usr/share/doc/$package/copyright"; \
    done < /tmp/packages
COPY --from=build /src/LICENSE /image/usr/share/doc/presign/LICENSE
# Certificate authorities at the paths of libcurl (/etc/ssl/certs) and OpenSSL (/usr/lib/ssl), an unprivileged user, and
# name resolution by files, then DNS.
RUN install -D -m 644 /etc/ssl/certs/ca-certificates.crt /image/etc/ssl/certs/ca-certificates.crt \
    && mkdir -p /image/usr/lib/ssl /image/etc/presign /image/dev /image/proc /image/sys \
    && ln -s /etc/ssl/certs/ca-certificates.crt /image/usr/lib/ssl/cert.pem \
    && install -m 644 /etc/os-release /image/etc/os-release \
    && echo 'presign:x:10001:10001:presign:/nonexistent:/usr/sbin/nologin' > /image/etc/passwd \
    && echo 'presign:x:10001:' > /image/etc/group \
    && echo 'hosts: files dns' > /image/etc/nsswitch.conf

FROM scratch
LABEL org.opencontainers.image.title="presign" \
      org.opencontainers.image.description="Pre-signed URLs for S3-compatible storage" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=root /image /
USER 10001:10001
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s --retries=3 CMD ["/usr/local/bin/presign", "healthcheck"]
ENTRYPOINT ["/usr/local/bin/presign"]
CMD ["serve", "--config", "/etc/presign/presign.yaml"]
