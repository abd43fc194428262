/**
 * An object that is another one but for some of its methods. The rest keeps its own `this`, so that objects with
 * private fields work as well.
 */
export function delegate<T extends object>(target: T, methods: { readonly [name: string]: unknown }): T {
  return new Proxy(target, {
    get(of, key) {
      if (typeof key === 'string' && Object.hasOwn(methods, key)) return methods[key];
      const value: unknown = Reflect.get(of, key, of);
      return typeof value === 'function' ? value.bind(of) : value;
    },
  });
}
