# A policy on plans, for conftest or OPA: every route that serves people proves who they are.
#   sluice plan --format json | conftest test --policy examples/policy -
# guarded-routes.mjs beside this file decides the same, without OPA.
package main

import rego.v1

guards := ["oauth", "oidc", "saml", "webhook_verification", "ip_restriction"]

deny contains message if {
	some resource in input.resource_changes
	resource.type == "HTTPSEdgeRoute"
	resource.change.actions != ["no-op"]
	is_object(resource.change.after)
	not guarded(resource.change.after)
	message := sprintf("%s: a route needs one of %s", [resource.address, concat(", ", guards)])
}

guarded(route) if {
	some guard in guards
	is_object(route[guard])
	object.get(route[guard], "enabled", true) != false
}
