/// Writes `facts.json`: what a person would note down about each release, with the real names of
/// the property-list keys and entitlements.
func releaseFacts() -> String {
  let releases = Catalogue.releases.map(describe)
  return """
    {
      "version": 1,
      "releases": [
    \(releases.joined(separator: ",\n"))
      ]
    }

    """
}

private func describe(_ release: AppRelease) -> String {
  let app = Catalogue.apps[release.app]
  let environment = release.development ? "development" : "production"
  return """
        {
          "bundle_id": "\(app.bundle)",
          "version": "\(release.version)",
          "build": "\(release.build)",
          "min_os": "15.0",
          "distribution": "\(release.development ? "debug" : "app-store")",
          "info": {
            "NSUserActivityTypes": ["INSendMessageIntent"],
            "UIBackgroundModes": ["remote-notification"]
          },
          "entitlements": {
            "aps-environment": "\(environment)",
            "com.apple.developer.usernotifications.communication": true,
            "com.apple.security.application-groups": ["group.\(app.bundle)"]
          },
          "plugins": ["Service.appex", "Preview.appex"],
          "extensions": [
            {
              "file": "Service.appex",
              "kind": "service",
              "bundle_id": "\(app.service)",
              "min_os": "\(release.serviceMinimumOS).0",
              "info": {
                "NSExtension": {
                  "NSExtensionPointIdentifier": "\(release.servicePoint)",
                  "NSExtensionPrincipalClass": "Service.NotificationService"
                }
              },
              "entitlements": {
                "com.apple.security.application-groups": ["group.\(app.bundle)"]
              }
            },
            {
              "file": "Preview.appex",
              "kind": "content",
              "bundle_id": "\(app.content)",
              "min_os": "15.0",
              "info": {
                "NSExtension": {
                  "NSExtensionPointIdentifier": "com.apple.usernotifications.content-extension",
                  "NSExtensionMainStoryboard": "MainInterface",
                  "NSExtensionAttributes": {
                    "UNNotificationExtensionCategory": ["\(app.viewCategory)"],
                    "UNNotificationExtensionInitialContentSizeRatio": 0.6
                  }
                }
              }
            }
          ]
        }
    """
}
