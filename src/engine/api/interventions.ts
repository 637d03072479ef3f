/** The text form of interventions, for code outside the engine. */

export { INTERVENTION_FORMS, parseIntervention } from "../pipeline/intervention.ts";
