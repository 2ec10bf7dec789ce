# A policy for plans, for conftest or OPA: every route needs access control.
#   sluice plan --format json | conftest test --policy examples/policy -
# guarded-routes.mjs implements the same policy without OPA.
package main

import rego.v1

access_controls := ["oauth", "oidc", "saml", "webhook_verification", "ip_restriction"]

deny contains message if {
	some resource in input.resource_changes
	resource.type == "HTTPSEdgeRoute"
	resource.change.actions != ["no-op"]
	is_object(resource.change.after)
	not protected(resource.change.after)
	message := sprintf("%s: a route needs one of %s", [resource.address, concat(", ", access_controls)])
}

protected(route) if {
	some control in access_controls
	is_object(route[control])
	object.get(route[control], "enabled", true) != false
}
