/** The text form of interventions, for whoever reads or writes them outside the engine. */

export { INTERVENTION_FORMS, parseIntervention } from "../pipeline/intervention.ts";
