from programs._application import WebServer

MODULES = ["authn_core", "authz_core", "authz_host", "authz_user", "auth_basic", "proxy", "proxy_http", "headers"]


class Apache(WebServer):
    """Apache as Debian has it, with the modules that a2enmod would enable, and one configuration of the example."""

    folder = "apache"
    logs = ["/var/log/apache2/error.log"]
    modules: list[str] = []

    def prepare(self, stage):
        stage.user("www-data")

    def serve(self, stage):
        for path in ("/var/log/apache2", "/run/apache2", "/run/lock/apache2"):
            stage.directory(path)
        for module in MODULES + self.modules:
            for kind in ("load", "conf"):
                stage.run("sh", "-c", f"cd /etc/apache2/mods-enabled && [ ! -e ../mods-available/{module}.{kind} ] || "
                          f"ln -sf ../mods-available/{module}.{kind} .")
        stage.place(f"regd-{self.name[7:]}.conf", f"/etc/apache2/conf-enabled/regd-{self.name[7:]}.conf")
        stage.spawn("sh", "-c", ". /etc/apache2/envvars && exec apache2 -DFOREGROUND -E /dev/stderr")


class ApacheLDAP(Apache):
    name = "apache-ldap"
    title = "Apache, mod_authnz_ldap"
    packages = ["apache2"]
    modules = ["mpm_event", "ldap", "authnz_ldap", "rewrite"]
    has_staff = True
    wrong, away = "401", "503"


class ApacheExternal(Apache):
    name = "apache-external"
    title = "Apache, mod_authnz_external"
    as_typed = True  # its protocol returns no name
    packages = ["apache2", "libapache2-mod-authnz-external"]
    modules = ["mpm_prefork", "authnz_external"]
    wrong, away = "401", "401"
    mute = "mod_authnz_external denies for every status but 0; it logs the status (75: away)"
