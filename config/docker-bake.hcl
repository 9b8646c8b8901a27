# Images for both architectures from the one Dockerfile. The other one is built by QEMU (docker run --privileged
# tonistiigi/binfmt --install all), or by a builder that has a machine of each:
#   docker buildx bake -f config/docker-bake.hcl --set image.tags=registry.example/larder:0.1.0 --push
variable "VERSION" {
  default = "0.1.0"
}
variable "REVISION" {
  default = "unknown"
}
variable "CREATED" {
  default = "1970-01-01T00:00:00Z"
}

group "default" {
  targets = ["image"]
}

target "image" {
  dockerfile = "Dockerfile"
  platforms  = ["linux/amd64", "linux/arm64"]
  tags       = ["larder:${VERSION}"]
  attest     = ["type=sbom", "type=provenance,mode=max"]
  args = {
    VERSION  = VERSION
    REVISION = REVISION
    CREATED  = CREATED
  }
}
