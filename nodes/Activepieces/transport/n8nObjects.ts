/**
 * What the node remembers with an object of n8n, as long as n8n keeps that object. n8n gives no identity to a run, a try
 * or an activation, but in every supported version it passes the same object again:
 *
 * - the data of a credential, from the read of the node to the sign-in
 * - `getExecuteData()`, in all items of a node's run and in all tries of *Retry On Fail*
 * - `json` of an input item, in all tries of its run
 * - the context of a trigger, from its activation on in each poll
 */
export const rememberedWith = <T>() => new WeakMap<object, T>();
