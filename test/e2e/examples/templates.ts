import type { ServiceData } from '../../service';

/** Tags of a template; releases since 0.74 hold them as objects. */
export const titlesOf = ({ tags }: ServiceData['templates'][number]): string[] =>
	tags.map((tag) => (typeof tag === 'string' ? tag : tag.title));
