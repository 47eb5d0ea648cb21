import type { UserMessage } from './error';
import type { Vocabulary } from './words';

/** A text, and whether the response says that certainly nothing was changed. */
export interface RuleMessage extends UserMessage {
	nothingChanged?: true;
}

export type Condition<Facts> = (facts: Facts, about: Vocabulary) => boolean;

/** What a response, a missing response or an incomplete list means, and its text. */
export interface Rule<Facts> {
	conditions: Array<Condition<Facts>>;
	text: (about: Vocabulary, facts: Facts) => RuleMessage;
}

/**
 * One rule: `message` says what happened, `description` what to change. Of a list of rules the first whose
 * conditions all hold counts.
 */
export const when = <Facts>(
	conditions: Array<Condition<NoInfer<Facts>>>,
	text: Rule<NoInfer<Facts>>['text'],
): Rule<Facts> => ({ conditions, text });
