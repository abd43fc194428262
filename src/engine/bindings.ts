/** Something that lives in the database. */
export type Handle = { readonly __handle: never };

/** What is used of the C interface as DuckDB's Node bindings offer it. */
export interface Bindings {
  open(path: string): Promise<Handle>;
  close_sync(database: Handle): void;
  connect(database: Handle): Promise<Handle>;
  disconnect_sync(connection: Handle): void;
  query(connection: Handle, sql: string): Promise<Handle>;
  prepare(connection: Handle, sql: string): Promise<Handle>;
  execute_prepared_streaming(statement: Handle): Promise<Handle>;
  fetch_chunk(result: Handle): Promise<Handle | null>;
  data_chunk_get_size(chunk: Handle): number;
  data_chunk_get_column_count(chunk: Handle): number;
  data_chunk_get_vector(chunk: Handle, column: number): Handle;
  /** A copy of the first bytes of a vector, which must hold as many. */
  vector_get_data(vector: Handle, bytes: number): Buffer;
  /** A copy of the bits that tell known values, `null` where all are. */
  vector_get_validity(vector: Handle, bytes: number): Buffer | null;
  /** A copy of what an address points to that lies in a buffer; the chunk it came from must still live. */
  get_data_from_pointer(buffer: ArrayBufferLike, offset: number, bytes: number): Buffer;
  appender_create(connection: Handle, schema: string | null, table: string): Handle;
  appender_end_row(appender: Handle): void;
  appender_close_sync(appender: Handle): void;
  append_null(appender: Handle): void;
  append_bool(appender: Handle, value: boolean): void;
  append_double(appender: Handle, value: number): void;
  append_varchar(appender: Handle, value: string): void;
  create_logical_type(type: number): Handle;
  create_data_chunk(types: readonly Handle[]): Handle;
  data_chunk_set_size(chunk: Handle, size: number): void;
  data_chunk_reset(chunk: Handle): void;
  append_data_chunk(appender: Handle, chunk: Handle): void;
  vector_assign_string_element(vector: Handle, row: number, text: string): void;
  vector_assign_string_element_len(vector: Handle, row: number, text: Uint8Array): void;
  vector_ensure_validity_writable(vector: Handle): void;
  copy_data_to_vector(vector: Handle, at: number, from: ArrayBufferLike, offset: number, bytes: number): void;
  copy_data_to_vector_validity(vector: Handle, at: number, from: ArrayBufferLike, offset: number, bytes: number): void;
}
