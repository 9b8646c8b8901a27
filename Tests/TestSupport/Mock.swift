/// Marks types of tests in which a trait does something else than in the service.
///
/// The test extends the trait `where Self: Mock`. For such a type the compiler prefers that extension to the trait's own;
/// its other traits stay as they are.
package protocol Mock {}
