# A policy for plans, for conftest or OPA: no access rule is broken, nothing becomes public, and no sign-in is removed.
#   sluice plan --format json | conftest test --policy examples/policy -
#   sluice plan --format json | opa eval --stdin-input --data examples/policy/access-rules.rego --format raw data.main.deny
package main

import rego.v1

# A rule that cannot be proven is a warning, unless the rules are strict.
warn contains message if {
	some rule in input.access_rules
	rule.verdict == "unproven"
	not rule.breach
	some finding in rule.findings
	message := finding.message
}

deny contains message if {
	some rule in input.access_rules
	rule.breach
	some finding in rule.findings
	message := finding.message
}

deny contains message if {
	some hazard in input.hazards
	hazard.code == "EXPOSES_PUBLICLY"
	some url in hazard.urls
	message := sprintf("%s becomes public: %s", [url, hazard.address])
}

# By what is required and not by names: whoever had to sign in before has to sign in afterwards.
deny contains message if {
	some change in input.exposure_changes
	"authentication" in change.before.requires
	change.after.reachable
	not "authentication" in change.after.requires
	some url in change.urls
	message := sprintf("%s no longer requires a sign-in: %s", [url, change.before.route])
}
