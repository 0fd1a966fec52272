/**
 * A self-signed certificate for service.test and 127.0.0.1 with its key, for tests only. It is valid from
 * 2000 to 2099, so that the tests pass at every clock.
 */

export const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgoOMVEFtNjC3XipmN
lvCtlqkI3mrIGVlFQhK+WlaWWw2hRANCAAQgEMZx4TNG0yEb4jmUdZ7Ya+MqIB3A
3A9yAufLUFMBZctcyLzORJqxwfRGkI9DkrLS4B+P8R+l0F2vV5rTfsef
-----END PRIVATE KEY-----`;

export const cert = `-----BEGIN CERTIFICATE-----
MIIBozCCAUqgAwIBAgIUD0abkSIZX+x6KrZM5wYpOmprkTYwCgYIKoZIzj0EAwIw
FzEVMBMGA1UEAwwMc2VydmljZS50ZXN0MCAXDTAwMDEwMTAwMDAwMFoYDzIwOTkx
MjA3MDAwMDAwWjAXMRUwEwYDVQQDDAxzZXJ2aWNlLnRlc3QwWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAAQgEMZx4TNG0yEb4jmUdZ7Ya+MqIB3A3A9yAufLUFMBZctc
yLzORJqxwfRGkI9DkrLS4B+P8R+l0F2vV5rTfsefo3IwcDAdBgNVHQ4EFgQUva5L
Kipw/jvgmowWO0pf6iWQdzowHwYDVR0jBBgwFoAUva5LKipw/jvgmowWO0pf6iWQ
dzowDwYDVR0TAQH/BAUwAwEB/zAdBgNVHREEFjAUggxzZXJ2aWNlLnRlc3SHBH8A
AAEwCgYIKoZIzj0EAwIDRwAwRAIgP5HoEhbWhqGYmVvHVGrgzPcV2Qbd19YDQh80
CrQG/LYCIGsDPFaOehWBOTjQh8W2LzPKY4gjwI6tE+7aaPps+t5U
-----END CERTIFICATE-----`;
